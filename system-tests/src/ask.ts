import type { Server } from '@sosia/testing/service/server';

export interface Answer {
  readonly status: { readonly code: number; readonly message: string };
  readonly nb_loaded_images?: number;
  readonly nb_results_found?: number;
  readonly images?: readonly Image[];
  readonly image?: Image | null;
  readonly dna?: { readonly dna: string };
}

export interface Image {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly score: number;
  readonly result_info: string;
}

export type Values = Readonly<Record<string, string | Uint8Array | readonly string[]>>;

/** One request, as a multipart form. Rejects when no answer comes back. */
export async function ask(
  server: Pick<Server, 'modify' | 'query'>,
  operation: `modify/${string}` | `query/${string}`,
  values: Values,
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) {
    if (value instanceof Uint8Array) form.append(name, new Blob([new Uint8Array(value)]));
    else for (const text of typeof value === 'string' ? [value] : value) form.append(name, text);
  }
  const [family, name] = operation.split('/') as ['modify' | 'query', string];
  const response = await fetch(`${server[family]}/api/v2.0/engine${family}/json/${name}`, {
    method: 'POST',
    body: form,
  });
  return (await response.json()) as Answer;
}
