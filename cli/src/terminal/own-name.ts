/** How a person runs another command of this program: as this one was run. */
export function ownName(): string {
  if (/[\\/]_npx[\\/]/.test(import.meta.url)) return 'npx sosia-server'; // fetched, where `sosia` is the package of somebody else
  const byNpm = process.env['npm_lifecycle_event'] === 'start' || process.env['npm_command'] === 'exec';
  return byNpm ? 'npx sosia' : 'sosia';
}
