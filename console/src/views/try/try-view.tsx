import { useState } from 'preact/hooks';
import { ask, type Request } from '../../api/call.ts';
import { useAction, useAnswer } from '../../parts/answer.ts';
import { CurlLine } from '../../parts/curl-line.tsx';
import { time } from '../../parts/figures.ts';
import { Failed } from '../../parts/notice.tsx';
import { go, linkTo, type Route } from '../../route.ts';
import { useAdministrator, useChosenApplication } from '../../session.ts';
import { operationsOf, type Described, type Document, type Field } from './described.ts';

const titles = {
  enginequery: 'Search and read',
  enginemodify: 'Change pictures',
  review: 'Review',
  administration: 'Administration',
} as const;

/** A form for each operation of the interface, as its OpenAPI document describes it. */
export function TryView({ route: { values } }: { route: Route }) {
  const application = useChosenApplication();
  const administrator = useAdministrator();
  const { value, error } = useAnswer('openapi', async (signal) => {
    const response = await fetch('/openapi.json', { signal });
    return operationsOf((await response.json()) as Document);
  });
  const offered = (value ?? []).filter(({ family }) => application ?? (administrator && family === 'administration'));
  const chosen = offered.find(({ id }) => id === values.get('operation')) ?? offered[0];
  return (
    <div class="stack">
      <Failed error={error} />
      {chosen && (
        <>
          <label class="field narrow">
            <span class="label">Operation</span>
            <select
              value={chosen.id}
              onChange={(event) => go(linkTo('try', { operation: event.currentTarget.value }), { replace: true })}
            >
              {(Object.keys(titles) as (keyof typeof titles)[]).map((family) => {
                const own = offered.filter((each) => each.family === family);
                return (
                  own.length > 0 && (
                    <optgroup key={family} label={titles[family]}>
                      {own.map(({ id, name }) => (
                        <option key={id} value={id}>
                          {name}
                        </option>
                      ))}
                    </optgroup>
                  )
                );
              })}
            </select>
          </label>
          <Trial key={chosen.id} operation={chosen} />
        </>
      )}
    </div>
  );
}

function Trial({ operation: { family, name, about, fields } }: { operation: Described }) {
  const [values, setValues] = useState<Request['values']>({});
  const [answer, setAnswer] = useState<{ readonly text: string; readonly ms: number }>();
  const { busy, error, run } = useAction();
  const request = { family, operation: name, values } as Request;
  const send = async (): Promise<void> => {
    setAnswer(undefined);
    const begin = performance.now();
    const text = shown(await ask(request as Request<'review', 'GetReview'>));
    setAnswer({ text, ms: performance.now() - begin });
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(send);
  };
  return (
    <>
      <form class="surface stack try" aria-label={name} onSubmit={submit}>
        <h2>{name}</h2>
        {about.split('\n\n').map((text) => (
          <p key={text} class="soft">
            {plain(text)}
          </p>
        ))}
        {fields.map((field) => (
          <label key={field.name} class="field">
            <span class="label">
              <code>{field.name}</code>
              {field.required ? ', required' : ''}
            </span>
            <Input field={field} onInput={(value) => setValues((before) => ({ ...before, [field.name]: value }))} />
            <small class="soft">{plain(field.about)}</small>
          </label>
        ))}
        <div class="row">
          <button type="submit" class="main" disabled={busy}>
            Send
          </button>
        </div>
        <CurlLine request={request} />
      </form>
      {(answer ?? error) && (
        <section class="surface" aria-label="Answer">
          <h2>Answer</h2>
          <Failed error={error} />
          {answer && (
            <>
              <p class="soft" role="status">
                after {time(answer.ms)}
              </p>
              <pre class="answer" tabIndex={0}>
                {answer.text}
              </pre>
            </>
          )}
        </section>
      )}
    </>
  );
}

function Input({ field, onInput }: { field: Field; onInput: (value: Request['values'][string]) => void }) {
  const { kind, required, choices } = field;
  if (kind === 'file') {
    return <input type="file" required={required} onChange={(event) => onInput(event.currentTarget.files?.[0])} />;
  }
  if (kind === 'choice') {
    return (
      <select required={required} onChange={(event) => onInput(event.currentTarget.value || undefined)}>
        <option value="" />
        {choices.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      type="text"
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      autocomplete="off"
      required={required}
      {...(kind === 'list' && { placeholder: 'separated by commas' })}
      onInput={({ currentTarget: { value } }) =>
        onInput(value === '' ? undefined : kind === 'list' ? value.split(',').map((each) => each.trim()) : value)
      }
    />
  );
}

/** Without the marks of code in the document. */
function plain(text: string): string {
  return text.replaceAll('`', '');
}

/** Characters of a text of the answer; pictures in base64 are longer. */
const LONGEST = 2000;

function shown(answer: object): string {
  const shortened = (_: string, value: unknown): unknown =>
    typeof value === 'string' && value.length > LONGEST
      ? `${value.slice(0, 60)} … (${value.length} characters)`
      : value;
  return JSON.stringify(answer, shortened, 2);
}
