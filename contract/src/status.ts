import Type, { type TObject, type TProperties } from '#typebox';
import { list, object, string } from './schema.ts';

/** The envelope of an operation that was carried out. */
export function succeeded<Fields extends TProperties>(message: string, answer: TObject<Fields>) {
  const status = object('success', {
    code: Type.Literal(0, { type: 'integer', description: '0' }),
    message: Type.Literal(message, { description: 'words' }),
  });
  const warnings = Type.Optional(
    list(Type.String(), 'names parameters that no operation has, at most 10; absent if there are none'),
  );
  return Type.Object({ status, warnings, ...answer.properties });
}

/** A row of the table of errors, as the wire shows it. */
export interface ErrorCode {
  readonly name: string;
  readonly code: number;
  readonly when: string;
}

/** The envelope of an operation that failed; old clients expect further fields, which the operation names in `onFailure`. */
export function failed(codes: readonly ErrorCode[]) {
  const status = object('the failure', {
    code: Type.Unsafe<number>({
      type: 'integer',
      enum: codes.map(({ code }) => code),
      description: `a negative number:\n\n${codes.map(({ code, name, when }) => `- ${code} ${name}: ${when}`).join('\n')}`,
      'x-enum-varnames': codes.map(({ name }) => name),
    }),
    message: string('for people, mostly the expected and the actual value'),
  });
  return Type.Object({ status });
}
