import type { Form, Forms, Parameter } from '@sosia/contract';
import type { RawParameters } from './raw-parameters.ts';

/** Reads the parameters of one form: the bytes of a request become a checked value. */
export interface Reader<F extends Form> {
  /**
   * Undefined if the request has no such parameter. Fails with a `Failure` that states the parameter, the expected and
   * the actual value.
   */
  read(raw: RawParameters, name: string, parameter: Parameter<F>): Forms[F] | undefined;
  /** What to send, in the message to a request without a required parameter. */
  expected(name: string, parameter: Parameter<F>): string;
}
