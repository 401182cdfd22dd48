/** The bytes of a file. A stream is read to its end before the request, since a busy service gets a request again. */
export type FileContent = Uint8Array | Blob | ReadableStream<Uint8Array>;

/** A picture: its file, or its address, from which the service fetches it. */
export type Picture = FileContent | URL;

export function wirePicture(picture: Picture): { image_content: FileContent } | { image_url: string } {
  return picture instanceof URL ? { image_url: picture.href } : { image_content: picture };
}

/** A picture as its file or its DNA. */
export type Content = { readonly picture: Picture } | { readonly dna: Uint8Array };

/** A picture under the names of the interface. */
export function wireContent(content: Content): ReturnType<typeof wirePicture> | { dna: Uint8Array } {
  return 'dna' in content ? { dna: content.dna } : wirePicture(content.picture);
}

/** A parameter of an operation: a list repeats its name, and what is undefined is left out. */
export type FormValue = string | number | Uint8Array | Blob | readonly string[] | undefined;

/** Parameters whose streams are read. */
export async function readStreams(
  values: Readonly<Record<string, FormValue | FileContent>>,
): Promise<Record<string, FormValue>> {
  const read: Record<string, FormValue> = {};
  for (const [name, value] of Object.entries(values)) {
    read[name] = value instanceof ReadableStream ? await new Response(value).blob() : value;
  }
  return read;
}

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
