/** Twin of assembly/channels.ts, for one pixel. */
export function channels(red: number, green: number, blue: number): [luma: number, blue: number, red: number] {
  return [
    0.299 * red + 0.587 * green + 0.114 * blue,
    -0.169 * red - 0.331 * green + 0.5 * blue,
    0.5 * red - 0.419 * green - 0.081 * blue,
  ];
}
