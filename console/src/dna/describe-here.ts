import { Engine, type EngineError } from '@sosia/browser';
import { errorCodes } from '@sosia/client/error-codes';
import type { ApplicationType } from '@sosia/engine';
import { CallError } from '../api/call.ts';

const engine = new Engine<ApplicationType>({ worker: 'dna.worker.js' });

/** The DNA of a picture, made in a worker of this browser; the picture is not sent. Fails with `CallError`. */
export async function describeHere(file: File, type: ApplicationType, side: 'reference' | 'query'): Promise<Blob> {
  try {
    return new File([await engine.describe(file, type, side)], 'picture.dna');
  } catch (cause) {
    const { fault, message } = cause as EngineError;
    throw new CallError(codeOf(fault), message);
  }
}

function codeOf(fault: EngineError['fault']): number {
  if (fault === 'not a picture') return errorCodes.NOT_A_PICTURE;
  return fault === 'not enough information' ? errorCodes.NOT_ENOUGH_INFORMATION : 0;
}
