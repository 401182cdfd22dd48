/** Line drawings on a grid of 16. */
const paths = {
  home: 'M2.5 7.5 8 2.8l5.5 4.7M4 6.5v6.7h8V6.5M6.7 13v-3.4h2.6V13',
  search: 'M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM10.6 10.6 14 14',
  pictures: 'M2 3.5h12v9H2zM2.5 11l3.3-3.6 2.6 2.7 2-1.8 3.1 3M10.2 6.2h.01',
  review: 'M2 4.8h8v8H2zM5.6 4.6V2.2H14v8.4h-3.8M4 8.8l1.5 1.5L8.2 7.4',
  events: 'M3 11.800h10L11.800 10V6.800a3.8 3.8 0 0 0-7.600 0V10zM6.500 14h3',
  compare: 'M8 2v12M2.5 4h3.6v8H2.5zM9.9 4h3.6v8H9.9',
  palette:
    'M8 2a6 6 0 1 0 0 12c1 0 1.4-.7 1.1-1.5-.4-1.1.2-1.9 1.3-1.9H12c1.3 0 2-1.2 2-2.6C14 4.6 11.3 2 8 2zM5 8h.01M6.5 5.200h.01M9.7 5.200h.01',
  filter: 'M2.5 2.500h5l6 6-5 5-6-6zM5.3 5.300h.01',
  status: 'M1.5 8.500h3l2-5 3 9 2-4h3',
  administration: 'M9.6 8.600a3.3 3.3 0 1 0-2.2-2.200L2.5 11.300v2.200h2.600v-1.700h1.700v-1.700zM10.9 5.100h.01',
  book: 'M3 2.800h4c.6 0 1 .4 1 1V13c0-.6-.4-1-1-1H3zM13 2.800H9c-.6 0-1 .4-1 1V13c0-.6.4-1 1-1h4z',
  leave: 'M6.5 2.500h-4v11h4M6.5 8H14M11 5l3 3-3 3',
  close: 'M4 4l8 8M12 4l-8 8',
  left: 'M10 3 5 8l5 5',
  right: 'M6 3l5 5-5 5',
  remove: 'M3 4.500h10M6.5 4.500V3h3v1.500M4.5 4.500l.6 8.500h5.8l.6-8.5',
  copy: 'M5.5 5.500h7v8h-7zM3.5 10.500v-8h7',
  check: 'M3 8.500l3.2 3.200L13 4.8',
  add: 'M8 3v10M3 8h10',
  alert: 'M8 2.2 14.5 13.500h-13zM8 6.500v3.200M8 11.500v.2',
  upload: 'M8 10.500v-8M4.8 5.5 8 2.300l3.2 3.200M2.5 10v3.500h11V10',
  undo: 'M3 7h6.5a3.5 3.5 0 0 1 0 7H6M5.8 4 3 7l2.8 3',
  try: 'M4.500 3v10l8.500-5z',
  options: 'M2 4.500h6M11 4.500h3M9.5 3v3M2 11.500h3M8 11.500h6M6.5 10v3',
};

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
