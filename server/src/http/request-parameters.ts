import type { Caller } from '../applications/applications.ts';
import { RawParameters } from '../parameters/raw-parameters.ts';
import type { Budget } from './budget.ts';
import { readForm } from './form.ts';
import { HeldBytes } from './held-bytes.ts';
import type { Limits } from './limits.ts';
import { queryOf } from './paths.ts';
import { TextAllowance } from './text-allowance.ts';

/** Holds the memory of requests with an administrator's key. */
export const administrators = {};

/**
 * The parameters of one request, and their memory until `release`. The memory is counted as soon as the application is
 * known or a body is read: reading a query string does not wait.
 */
export class RequestParameters {
  readonly raw = new RawParameters();
  readonly texts: TextAllowance;
  readonly body: HeldBytes;
  readonly #limits: Limits;
  readonly #uploads: Budget;
  /** What the service has fetched for the request. */
  readonly #fetched: HeldBytes[] = [];
  #caller: Caller | undefined;

  constructor({ limits, uploads }: { limits: Limits; uploads: Budget }) {
    this.#limits = limits;
    this.#uploads = uploads;
    this.texts = new TextAllowance(limits.textBytes);
    this.body = new HeldBytes(uploads);
  }

  /** Undefined until `assignTo`. */
  get caller(): Caller | undefined {
    return this.#caller;
  }

  /** @param target  the unmodified address. Fails with MALFORMED_REQUEST, BAD_PARAMETER or BAD_TEXT. */
  readQuery(target: string): void {
    const { raw, texts } = this;
    readForm(queryOf(target), { source: 'query', raw, texts, maxFields: this.#limits.formFields });
  }

  /** Moves the memory to the share of the application, or of all administrators. Fails with OVERLOADED. */
  assignTo(caller: Caller): void {
    const { application = administrators } = caller;
    this.body.assignTo(application);
    this.body.countBeside(this.texts.memory);
    this.#caller = caller;
  }

  /** The memory of a file that the service fetches for the request, once the caller is known. */
  holdFetched(): HeldBytes {
    const held = new HeldBytes(this.#uploads);
    held.assignTo(this.#caller!.application ?? administrators);
    this.#fetched.push(held);
    return held;
  }

  release(): void {
    this.body.release();
    for (const held of this.#fetched) held.release();
  }
}
