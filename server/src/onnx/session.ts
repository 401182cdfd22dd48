import { NETWORK_SIDES, type NetworkSpec, type Network, type Picture } from '@sosia/engine';
import type * as onnxruntime from 'onnxruntime-web';
import type { InferenceSession } from 'onnxruntime-web';
import { fail } from '../errors.ts';
import { AnswerError, scoreOf } from './score.ts';
import { vectorOf } from './vector.ts';
import { tensorOf, type Size } from './tensor.ts';

/** A network that is ready to score pictures. */
export interface Session {
  readonly size: Size;
  /** In [-1, 1]. Fails with NETWORK_FAILED. */
  score(picture: Picture): Promise<number>;
  /** The vector of an embedding. Fails with NETWORK_FAILED. */
  embed(picture: Picture): Promise<Int8Array>;
  close(): Promise<void>;
}

type Runtime = typeof onnxruntime;
type Shape = readonly (number | string)[];

let started: Promise<Runtime> | undefined;

/** WebAssembly in one thread: the same answer on every machine. */
function runtime(): Promise<Runtime> {
  return (started ??= import('onnxruntime-web').then(
    (ort) => {
      ort.env.wasm.numThreads = 1;
      ort.env.logLevel = 'fatal';
      return ort;
    },
    (cause: unknown) => {
      const { code, message } = cause as NodeJS.ErrnoException;
      const missing = code === 'ERR_MODULE_NOT_FOUND';
      throw fail(
        'NO_NETWORK_RUNTIME',
        missing ? 'npm install -g onnxruntime-web, or without -g where sosia is without it' : message,
      );
    },
  ));
}

/** Reads all files that running a network needs; where the runtime is absent, `openSession` says so. */
export async function loadRuntime(): Promise<void> {
  const ort = await runtime().catch(() => undefined);
  await ort?.InferenceSession.create(new Uint8Array()).catch(() => {}); // no model, but the WebAssembly is there
}

/** @throws Failure NO_NETWORK_RUNTIME, or BAD_PROFILE for a model that does not fit the spec of the network */
export async function openSession({ spec, model }: Network): Promise<Session> {
  const ort = await runtime();
  let session: InferenceSession;
  try {
    session = await ort.InferenceSession.create(model, { executionProviders: ['wasm'], logSeverityLevel: 4 });
  } catch (cause) {
    throw fail('BAD_PROFILE', `the model cannot be read: ${(cause as Error).message}`);
  }
  try {
    return opened(ort, session, spec);
  } catch (cause) {
    await session.release();
    throw cause;
  }
}

function opened(ort: Runtime, session: InferenceSession, spec: NetworkSpec): Session {
  const { name: input, shape } = onlyTensor('input', session.inputMetadata);
  const { name: output, shape: answered } = onlyTensor('output', session.outputMetadata);
  const size = sizeOf(shape, spec);
  checkAnswer(answered, spec);
  const dims = spec.layout === 'NCHW' ? [1, 3, size.height, size.width] : [1, size.height, size.width, 3];
  const run = async <T>(picture: Picture, read: (answer: Float32Array, shape: readonly number[]) => T): Promise<T> => {
    try {
      const tensor = new ort.Tensor('float32', tensorOf(picture, size, spec), dims);
      const answers = await session.run({ [input]: tensor });
      const answer = answers[output]!;
      if (!(answer.data instanceof Float32Array)) throw new AnswerError(`expected float32, got ${answer.type}`);
      return read(answer.data, answer.dims);
    } catch (cause) {
      throw fail('NETWORK_FAILED', (cause as Error).message);
    }
  };
  return {
    size,
    score: (picture) => run(picture, (answer) => scoreOf(answer, spec)),
    embed: (picture) => run(picture, vectorOf),
    close: () => session.release(),
  };
}

function onlyTensor(
  what: string,
  all: readonly InferenceSession.ValueMetadata[],
): { readonly name: string; readonly shape: Shape } {
  const [first] = all;
  const names = all.map(({ name }) => name).join(', ');
  if (!first || all.length > 1)
    throw fail('BAD_PROFILE', `expected a model with one ${what}, got ${all.length}: ${names}`);
  if (!first.isTensor || first.type !== 'float32') {
    const got = first.isTensor ? first.type : 'something else';
    throw fail('BAD_PROFILE', `expected the ${what} ${first.name} to be a tensor of float32, got ${got}`);
  }
  return first;
}

function sizeOf(shape: Shape, spec: NetworkSpec): Size {
  const { layout } = spec;
  const got = `got an input of ${inWords(shape)}`;
  const [batch, ...rest] = shape;
  const [channels, height, width] = layout === 'NCHW' ? rest : [rest[2], rest[0], rest[1]];
  const other = layout === 'NCHW' ? 'NHWC' : 'NCHW';
  if (shape.length !== 4 || (batch !== 1 && !isOpen(batch)))
    throw fail('BAD_PROFILE', `expected a model that takes one picture as ${layout}, ${got}`);
  if (channels !== 3 && !isOpen(channels))
    throw fail('BAD_PROFILE', `expected three channels in ${layout}, ${got}; "layout": "${other}" may be meant`);
  const side = (name: 'width' | 'height', own: number | string | undefined): number => {
    const given = spec[name];
    if (isOpen(own) && given === undefined)
      throw fail('BAD_PROFILE', `the model leaves its ${name} open, ${got}: the ${name} has to be given beside it`);
    if (isOpen(own)) return given!;
    if (given !== undefined && given !== own) throw fail('BAD_PROFILE', `expected a ${name} of ${given}, ${got}`);
    const { least, most } = NETWORK_SIDES;
    if ((own as number) < least || (own as number) > most)
      throw fail('BAD_PROFILE', `expected a ${name} of ${least} to ${most} pixels, ${got}`);
    return own as number;
  };
  return { width: side('width', width), height: side('height', height) };
}

/** An open length is checked by the first run. */
function checkAnswer(shape: Shape, { labels, output }: NetworkSpec): void {
  if (output === 'embedding' || shape.some(isOpen)) return; // the first run checks it
  const count = (shape as readonly number[]).reduce((a, b) => a * b, 1);
  if (count !== labels.length)
    throw fail('BAD_PROFILE', `expected ${labels.length} numbers, one a label, got an output of ${inWords(shape)}`);
}

function isOpen(length: number | string | undefined): boolean {
  return typeof length !== 'number' || length <= 0;
}

function inWords(shape: Shape): string {
  return `[${shape.join(', ')}]`;
}
