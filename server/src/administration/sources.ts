import type { ShownSource } from '@sosia/contract';
import { fail } from '../errors.ts';
import type { Sources } from '../sources/sources.ts';
import type { Known } from '../sources/schedule.ts';
import type { AdministrationWork, Task } from './operation.ts';
import { applicationOf, applicationOrNone } from './operation.ts';

const STANDARD_INTERVAL = 30;

export const listSources: AdministrationWork<'listSources'> = async (task, { application }) => {
  const all = await task.sources.list(applicationOrNone(task, application));
  return { sources: all.map((each) => shown(task.sources, each)) };
};

export const getSource: AdministrationWork<'getSource'> = async (
  task,
  { application, source: selector, starting_index: start, nb_results: count },
) => {
  const known = await selected(task, application, selector);
  const source = shown(task.sources, known); // first, so that its failures are not older than their number
  const all = await task.sources.failures(known);
  const failures = all.slice(start, start + count).map(([image_id, { key, fault }]) => {
    return { key, image_id, code: fault!.code, message: fault!.message };
  });
  return { source, failures };
};

export const createSource: AdministrationWork<'createSource'> = async (
  task,
  { application: selector, name, kind: kindName, prefix, keywords, interval, paused, writable, dry_run, ...values },
) => {
  const { sources } = task;
  const application = applicationOf(task, selector);
  const kind = kindName as ShownSource['kind'];
  checkWritable(task, kind, writable);
  const given = {
    name,
    kind,
    settings: await sources.kinds[kind].settings(values),
    prefix: prefix ?? '',
    keywords,
    interval: interval ?? STANDARD_INTERVAL,
    paused: paused === 1,
    writable: writable === 1,
  };
  if (dry_run === 1) return { source: null, preview: await sources.preview(application, given) };
  return { source: shown(sources, await sources.create(application, given)), preview: null };
};

export const setSource: AdministrationWork<'setSource'> = async (
  task,
  { application, source, interval, paused, writable },
) => {
  const known = await selected(task, application, source);
  checkWritable(task, known.definition.kind, writable);
  await task.sources.change(known, () => ({
    ...(interval !== undefined && { interval }),
    ...(paused !== undefined && { paused: paused === 1 }),
    ...(writable !== undefined && { writable: writable === 1 }),
  }));
  return { source: shown(task.sources, known) };
};

export const runSource: AdministrationWork<'runSource'> = async (task, { application, source, retry, dry_run }) => {
  const { sources } = task;
  const known = await selected(task, application, source);
  if (dry_run === 1) {
    const preview = await sources.preview(known.application, known.definition, retry === 1, known.id);
    return { source: shown(sources, known), preview };
  }
  if (known.definition.paused) throw fail('BAD_PARAMETER', `source: ${known.definition.name} is paused`);
  await sources.change(known, ({ request }) => ({ request: { number: request.number + 1, retry: retry === 1 } }));
  return { source: shown(sources, known), preview: null };
};

export const confirmSource: AdministrationWork<'confirmSource'> = async (task, { application, source, removals }) => {
  const known = await selected(task, application, source);
  const { question } = known.state;
  if (removals !== question?.removals) {
    throw fail('NOT_CONFIRMED', `expected ${question?.removals ?? 'no'} removals, got ${removals}`);
  }
  await task.sources.change(known, () => ({ agreed: question.number }));
  return { source: shown(task.sources, known) };
};

export const deleteSource: AdministrationWork<'deleteSource'> = async (task, { application, source, pictures }) => {
  const known = await selected(task, application, source);
  await task.sources.change(known, () => ({ leaving: pictures as 'keep' | 'remove' }));
  return { source: shown(task.sources, known) };
};

/** Fails with NOT_ADMINISTRATOR or BAD_PARAMETER. */
function checkWritable({ caller, sources }: Task, kind: ShownSource['kind'], writable: number | undefined): void {
  if (writable !== 1) return;
  if (caller.application) throw fail('NOT_ADMINISTRATOR', 'for writable');
  if (!sources.kinds[kind].move) throw fail('BAD_PARAMETER', `writable: not for the kind ${kind}`);
}

async function selected(task: Task, application: string | undefined, source: string): Promise<Known> {
  return task.sources.get(applicationOf(task, application), source);
}

function shown({ kinds }: Sources, { id, application, definition, state }: Known): ShownSource {
  const { name, kind, settings, prefix, keywords, interval, writable = false } = definition;
  const { progress, secondsLeft, question } = state;
  return {
    id,
    name,
    application: application.name,
    kind,
    place: kinds[kind].place(settings),
    prefix,
    keywords,
    interval,
    writable,
    state: stateOf({ definition, state }),
    pictures: state.pictures,
    failed: state.failed,
    progress: { ...progress, seconds_left: secondsLeft },
    last_pass: state.ended,
    fault: state.fault,
    question: question && { removals: question.removals, of: question.of },
  };
}

function stateOf({ definition, state }: Pick<Known, 'definition' | 'state'>): ShownSource['state'] {
  if (definition.leaving) return 'leaving';
  if (definition.paused) return 'paused';
  if (state.running) return 'running';
  if (state.question) return state.question.number === definition.agreed ? 'running' : 'confirmation needed';
  return state.fault ? 'failed' : 'waiting';
}
