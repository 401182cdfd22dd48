/** What is kept with a picture: a JSON object of at most 4,096 bytes. */
export type Metadata = { readonly [name: string]: string | number | boolean | null | object };
