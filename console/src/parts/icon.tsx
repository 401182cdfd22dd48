/** Line drawings on a grid of 16. */
const paths = {
  search: 'M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM10.6 10.6 14 14',
  picture: 'M2 3.5h12v9H2zM2.5 11l3.3-3.6 2.6 2.7 2-1.8 3.1 3M10.2 6.2h.01',
  close: 'M4 4l8 8M12 4l-8 8',
  left: 'M10 3 5 8l5 5',
  right: 'M6 3l5 5-5 5',
  remove: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  plus: 'M8 3v10M3 8h10',
  alert: 'M8 2.2 14.5 13.5h-13zM8 6.5v3.2M8 11.5v.2',
};

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
