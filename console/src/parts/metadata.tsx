import { useState } from 'preact/hooks';
import type { Metadata } from '@sosia/contract';
import { ask, requestFor } from '../api/call.ts';
import { Button } from './button.tsx';
import { TextField } from './fields.tsx';
import { Form } from './form.tsx';
import { Table } from './table.tsx';

export function MetadataTable({ metadata }: { metadata: Metadata }) {
  return (
    <Table
      label="Metadata"
      rows={rowsOf(metadata)}
      columns={[
        ['Metadata', ([name]) => <code>{name}</code>],
        ['Value', ([, value]) => value, 'wide'],
      ]}
    />
  );
}

/** Names as conditions have them, with `.` between those of nested objects. */
function rowsOf(metadata: object, before = ''): (readonly [name: string, value: string])[] {
  return Object.entries(metadata).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? rowsOf(value, `${before}${name}.`)
      : [[`${before}${name}`, typeof value === 'string' ? value : JSON.stringify(value)] as const],
  );
}

interface EditedMetadataProps {
  readonly id: string;
  readonly metadata: Metadata | undefined;
  readonly onChanged: () => void;
}

/** The metadata of a picture, and a form with them as JSON, which the service checks. */
export function EditedMetadata({ id, metadata, onChanged }: EditedMetadataProps) {
  const [stored, setStored] = useState(metadata);
  const [text, setText] = useState<string>();
  const save = async (): Promise<void> => {
    const values = { image_id: id, metadata: text?.trim() || undefined };
    setStored((await ask(requestFor('enginemodify', 'SetMetadata', values))).metadata);
    setText(undefined);
    onChanged();
  };
  if (text === undefined) {
    const edit = (): void => setText(stored ? JSON.stringify(stored, null, 2) : '{}');
    return (
      <section class="stack">
        {stored && <MetadataTable metadata={stored} />}
        <p>
          <Button text={stored ? 'Edit metadata' : 'Add metadata'} onClick={edit} />
        </p>
      </section>
    );
  }
  return (
    <section>
      <Form action="Save" onSubmit={save} onCancel={() => setText(undefined)}>
        <TextField label="Metadata as a JSON object; empty for none" lines value={text} onChange={setText} />
      </Form>
    </section>
  );
}
