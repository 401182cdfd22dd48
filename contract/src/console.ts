import Type, { type Static } from '#typebox';
import { scopes } from './operation.ts';
import { resultInfos } from './result-info/result-info.ts';
import { list, nullable, string } from './schema.ts';

/** What the service answers at the routes of its own page, below `/console/api`, beside the operations. */

const type = Type.Unsafe<keyof typeof resultInfos>({ enum: Object.keys(resultInfos) });

const traits = Type.Object({
  title: string('the name of the type for people'),
  references: Type.Boolean(),
  symmetric: Type.Boolean({ description: 'whether a stored picture can be a query' }),
  colorWeight: Type.Boolean(),
  colors: Type.Boolean(),
  fineComparison: Type.Boolean(),
  profiles: Type.Boolean(),
});

const applicationInfo = Type.Object({
  number: Type.Integer(),
  name: Type.String(),
  type,
  traits,
  events: Type.Boolean({ description: 'whether it can have saved searches' }),
  nb_results: Type.Integer({ description: 'the default of the application' }),
  color_weight: Type.Integer({ description: 'the default of the application' }),
  network: Type.Boolean({ description: 'whether a network describes the pictures; only the service runs it' }),
});

const sessionInfo = Type.Object({
  csrf: string('the token that the page shows with each request'),
  key: Type.Object({
    name: Type.String(),
    scopes: list(Type.Enum([...scopes], { type: 'string' }), 'what the session may do'),
  }),
  application: applicationInfo,
  ports: Type.Object({ modify: Type.Integer(), query: Type.Integer() }),
  version: string('of the service'),
});
export type SessionInfo = Static<typeof sessionInfo>;

const administratorInfo = Type.Object({
  csrf: string('the token that the page shows with each request'),
  key: Type.Object({ name: Type.String() }),
  ports: Type.Object({ modify: Type.Integer(), query: Type.Integer() }),
  version: string('of the service'),
});
export type AdministratorInfo = Static<typeof administratorInfo>;

/** GET session, POST sign-in. */
export const session = Type.Object({
  session: nullable(sessionInfo, 'null where nobody is signed in, or an administrator without a chosen application'),
  administrator: nullable(administratorInfo, "null where the key of the session is not an administrator's"),
});
export type Session = Static<typeof session>;

const failedOperation = Type.Object({
  at: string('ISO 8601, UTC'),
  operation: Type.String(),
  code: Type.Integer(),
  message: Type.String(),
});

/** GET status. */
export const applicationStatus = Type.Object({
  version: string('of the service'),
  count: Type.Integer({ description: 'reference pictures' }),
  index_bytes: Type.Integer({ description: 'memory of the index' }),
  state: Type.String({ enum: ['available', 'read-only', 'closed'] }),
  failures: list(failedOperation, 'that the service or the machine caused, the latest first'),
  refusals: list(failedOperation, 'of requests that cannot be answered, the latest first'),
});
export type ApplicationStatus = Static<typeof applicationStatus>;

const perInterval = (description: string) => list(Type.Integer({ minimum: 0 }), description);

/** GET activity: the operations of the last 24 hours, a number per interval, the oldest first. */
export const applicationActivity = Type.Object({
  seconds: Type.Integer({ description: 'the length of an interval; the last one is in progress' }),
  searches: perInterval('searches and classifications'),
  additions: perInterval('AddImage'),
  deletions: perInterval('DeleteImage'),
  others: perInterval('other operations'),
  refusals: perInterval('of these, refused requests'),
  failures: perInterval('of these, failures of the service'),
  total_ms: perInterval('milliseconds of all operations'),
  slowest_ms: perInterval('milliseconds of the slowest operation'),
});
export type ApplicationActivity = Static<typeof applicationActivity>;
