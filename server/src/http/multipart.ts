import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { fail } from '../errors.ts';
import { fileNames } from '../params/file.ts';
import type { Given } from '../params/given.ts';
import { strictText } from '../params/text.ts';
import type { Limits } from './limits.ts';

/** Takes a multipart body piece by piece; `end` puts the parts into `given`. */
export interface MultipartReader {
  write(chunk: Uint8Array): void;
  /** Fails with MALFORMED_REQUEST for a body cut short or over the limits, with BAD_TEXT for text that is not UTF-8. */
  end(given: Given): Promise<void>;
}

/**
 * Every part is taken as bytes, and its name alone says whether it is a file: clients leave out filenames and types, or
 * give them to texts. Text is decoded here, strictly.
 */
export function multipartReader(contentType: string, limits: Limits): MultipartReader {
  const parser = createParser(contentType, limits);
  const parts: { name: string; chunks: Buffer[] }[] = [];
  let fault: string | undefined;

  const finished = new Promise<void>((resolve) => {
    parser.on('finish', resolve);
    parser.on('error', (error: Error) => {
      fault ??= error.message;
      resolve();
    });
  });

  parser.on('partsLimit', () => (fault ??= `expected at most ${limits.parts} parts`));
  parser.on('file', (name: string | undefined, content: Readable) => {
    content.on('error', (error: Error) => (fault ??= error.message));
    const chunks: Buffer[] = [];
    content.on('data', (chunk: Buffer) => chunks.push(chunk));
    if (name !== undefined) parts.push({ name, chunks });
  });

  return {
    write(chunk) {
      if (fault === undefined) parser.write(chunk);
    },

    async end(given) {
      if (fault === undefined) {
        parser.end();
        await finished;
      }
      if (fault !== undefined) throw fail('MALFORMED_REQUEST', `multipart body: ${fault}`);
      for (const { name, chunks } of parts) addPart(given, name, Buffer.concat(chunks));
    },
  };
}

function addPart(given: Given, name: string, content: Uint8Array): void {
  if (fileNames.has(name)) given.addFile(name, content);
  else given.addText(name, strictText(content, name), 'body');
}

function createParser(contentType: string, limits: Limits): InstanceType<typeof Busboy> {
  const boundary = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType);
  const length = (boundary?.[1] ?? boundary?.[2] ?? '').length;
  if (length === 0 || length > limits.boundaryLength) {
    throw fail('MALFORMED_REQUEST', `expected a multipart boundary of 1 to ${limits.boundaryLength} characters`);
  }
  return new Busboy({
    headers: { 'content-type': contentType },
    isPartAFile: () => true,
    limits: {
      parts: limits.parts,
      files: limits.parts,
      headerPairs: limits.partHeaders,
      headerSize: limits.partHeaderBytes,
    },
  });
}
