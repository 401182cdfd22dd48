import { alternativeOf, isRequired, portOf, type Operation } from '@sosia/contract';
import { settings } from '../config.ts';

/**
 * An example of an operation as a line for the shell: the required parameters, and one picture for a picture or a DNA.
 */
export function curl({ name, families, method, parameters }: Operation): string {
  const [family] = families;
  const port = settings[`${portOf(family!)}_port`].fallback;
  const shown = Object.entries(parameters.properties)
    .filter(([name, parameter]) => isRequired(parameter) || alternativeOf(parameter) || name === 'image_content')
    .map(([name, { examples }]): [string, string] => [name, examples[0]]);
  const upload = shown.some(([, example]) => example.startsWith('@'));
  const option = upload ? '-F' : '--data-urlencode';
  const fields = [['application_key', '$KEY'], ...shown];
  const sent = fields.map(([name, example]) => `${option} "${name}=${example}"`).join(' ');
  const how = upload && method === 'POST' ? '' : upload ? `-X ${method} ` : method === 'GET' ? '-G ' : '';
  return `curl ${how}http://127.0.0.1:${port}/api/v2.0/${family}/json/${name} ${sent}`;
}
