/** A parameter of an operation: a list repeats its name, and what is undefined is left out. */
export type FormValue = string | number | Uint8Array | Blob | readonly string[] | undefined;

/** Parameters as a multipart body. */
export function formOf(values: Readonly<Record<string, FormValue>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) {
    if (value instanceof Uint8Array) form.append(name, new Blob([Uint8Array.from(value)]));
    else if (value instanceof Blob) form.append(name, value);
    else if (typeof value === 'object') for (const each of value) form.append(name, each);
    else if (value !== undefined) form.append(name, String(value));
  }
  return form;
}
