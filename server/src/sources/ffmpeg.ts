import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { LARGEST_FILE, tooLargeFile } from '../decode/limits.ts';
import { fail } from '../errors.ts';
import { limited } from '../workers/confinement/limits.ts';
import { SAMPLE_SIDE, SAMPLES_PER_SECOND } from './stills.ts';

/** Bytes of heap, stacks and anonymous memory of ffmpeg. */
const MEMORY = 2 * 2 ** 30;
/** Milliseconds without output after which it is ended. */
const SILENCE_MS = 120_000;
/** Seconds of a film that are looked at. */
const LONGEST_FILM = 86_400;
/** Characters of its standard error that are kept. */
const MOST_STDERR = 1000;

/** Names of ffmpeg for what contains a film. Playlists are none of them: they name other files. */
const FORMATS = 'mov,matroska,avi,mpeg,mpegts,asf,flv,ogg';

export interface FfmpegOptions {
  /** The user and group that it becomes where the service is root. */
  readonly user: number;
  readonly signal: AbortSignal;
}

/** Nothing of the server's environment: it may hold secrets. */
const environment = () => ({ PATH: process.env['PATH'] });

/** Fails with SOURCE_REFUSED where the machine has no ffmpeg. */
export async function checkFfmpeg(): Promise<void> {
  await promisify(execFile)('ffmpeg', ['-version'], { env: environment() }).catch(() => {
    throw fail('SOURCE_REFUSED', 'expected the program ffmpeg on the machine of the service, see sources.md');
  });
}

/** Small grey pictures at even distances, from the beginning of a film. Fails with a reason of pictures where it cannot be read. */
export async function* samplesOf(film: FileHandle, options: FfmpegOptions): AsyncGenerator<Uint8Array> {
  const filter = `fps=${SAMPLES_PER_SECOND}:start_time=0,scale=${SAMPLE_SIDE}:${SAMPLE_SIDE}:flags=area,format=gray`;
  const before = ['-threads', '2', '-skip_frame', 'noref'];
  const after = ['-t', String(LONGEST_FILM), '-vf', filter, '-f', 'rawvideo'];
  let rest = Buffer.alloc(0);
  for await (const part of output(film, before, after, options)) {
    rest = Buffer.concat([rest, part]);
    const size = SAMPLE_SIDE * SAMPLE_SIDE;
    for (; rest.length >= size; rest = rest.subarray(size)) yield rest.subarray(0, size);
  }
}

/** The picture at a time, as JPEG with square pixels. Fails as `samplesOf`. */
export async function stillOf(film: FileHandle, seconds: number, options: FfmpegOptions): Promise<Uint8Array> {
  const after = ['-frames:v', '1', '-vf', 'scale=iw*sar:ih,setsar=1,format=yuvj420p', '-q:v', '2', '-f', 'mjpeg'];
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of output(film, ['-threads', '1', '-ss', String(seconds)], after, options)) {
    parts.push(part);
    length += part.length;
    if (length > LARGEST_FILE) throw tooLargeFile(length);
  }
  if (length === 0) throw fail('DAMAGED_PICTURE', 'the film has no picture at this time');
  return Buffer.concat(parts);
}

/** What ffmpeg makes of the first pictures of a film. It reads the file that is open, whatever lies at its path by now. */
async function* output(
  film: FileHandle,
  before: readonly string[],
  after: readonly string[],
  { user, signal }: FfmpegOptions,
): AsyncGenerator<Buffer> {
  const input = ['-protocol_whitelist', 'file', '-format_whitelist', FORMATS, '-i', 'file:/dev/fd/3', '-map', '0:V:0'];
  const command = ['ffmpeg', '-nostdin', '-v', 'error', ...before, ...input, ...after, 'pipe:1'];
  const [program, ...words] = limited(command, MEMORY);
  const child = spawn(program!, words, {
    cwd: '/',
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe', film.fd],
    signal,
    killSignal: 'SIGKILL',
    ...(process.getuid?.() === 0 && { uid: user, gid: user }),
  });
  const ended = once(child, 'close');
  ended.catch(() => {}); // awaited below, unless the caller has enough
  let [stderr, isLate] = ['', false];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-MOST_STDERR)));
  const end = (): boolean => child.kill('SIGKILL');
  const silence = setTimeout(() => (isLate = end()), SILENCE_MS);
  try {
    for await (const part of child.stdout ?? []) {
      silence.refresh();
      yield part as Buffer;
    }
    const [code, by] = (await ended) as [number | null, string | null];
    if (isLate || by === 'SIGXCPU') throw fail('DECODE_TIMEOUT', 'ffmpeg was ended');
    if (by) throw fail('DECODER_CRASHED', `ffmpeg was ended by ${by}`);
    if (code !== 0) throw fail('DAMAGED_PICTURE', stderr.trim().split('\n').at(-1)!.replace('file:/dev/fd/3: ', ''));
  } finally {
    clearTimeout(silence);
    end();
  }
}
