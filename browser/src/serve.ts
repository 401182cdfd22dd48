import { similarityOf } from '@sosia/contract/similarity';
import { DnaError, PlainPictureError } from '@sosia/engine/errors';
import { SynchronousPartition } from '@sosia/engine/partition/synchronous';
import type { TypeDefinition } from '@sosia/engine/types/type-definition';
import { pictureOf } from './picture-of.ts';
import type { Answer, Content, PairMatch, Side, Task } from './protocol.ts';

/** The size to which the service reduces pictures while decoding, unless the application type uses more. */
const DECODED_SIDE = 1024;

class NotAPicture extends Error {}

/** Answers the tasks that a worker receives, for these application types. */
export function serve<Type extends string>(definitions: Readonly<Record<Type, TypeDefinition>>): void {
  addEventListener('message', ({ data }: MessageEvent<Task<Type> & { readonly number: number }>) => {
    void answerTo(definitions[data.type], data).then((answer) => postMessage({ number: data.number, ...answer }));
  });
}

type Outcome = Answer extends infer Each ? (Each extends Answer ? Omit<Each, 'number'> : never) : never;

async function answerTo(definition: TypeDefinition, task: Task<string>): Promise<Outcome> {
  try {
    if (task.work === 'describe') return { result: await described(definition, task.picture, task.side) };
    const query = await dnaOf(definition, task.query, 'query');
    return { result: matchOf(definition, query, await dnaOf(definition, task.reference, 'reference')) };
  } catch (cause) {
    const { message } = cause as Error;
    if (cause instanceof NotAPicture) return { fault: 'not a picture', message };
    if (cause instanceof PlainPictureError) return { fault: 'not enough information', message };
    if (cause instanceof DnaError) return { fault: 'not a DNA', message };
    return { message };
  }
}

async function dnaOf(definition: TypeDefinition, content: Content, side: Side): Promise<Uint8Array> {
  if (content instanceof Blob) return described(definition, content, side);
  definition.checkDna(content, side);
  return content;
}

async function described(definition: TypeDefinition, picture: Blob, side: Side): Promise<Uint8Array> {
  const pixels = await pictureOf(picture, Math.max(DECODED_SIDE, definition.workingSize)).catch((cause: Error) => {
    throw new NotAPicture('This browser cannot decode the picture', { cause });
  });
  return Uint8Array.from(definition.describe(pixels, side));
}

function matchOf(definition: TypeDefinition, query: Uint8Array, reference: Uint8Array): PairMatch | null {
  const partition = SynchronousPartition.of(definition);
  partition.add(0, reference);
  const [verdict] = partition.verify(query, [0]).verdicts;
  if (!verdict) return null;
  const { score, resultInfo } = verdict;
  const wholes = definition.traits.colors || definition.traits.colorWeight;
  return { score, similarity: similarityOf(score, wholes, resultInfo), resultInfo };
}
