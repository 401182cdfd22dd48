/** How a person runs another command of this program: as this one was run. */
export function ownName(): string {
  if (process.env['npm_lifecycle_event'] === 'start') return 'npx sosia'; // `npm start` in a clone
  return process.env['npm_command'] === 'exec' ? 'npx sosia-server' : 'sosia';
}
