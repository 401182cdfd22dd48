import type { Scope } from '@sosia/contract';

const scopes: Record<Scope, string> = {
  search: 'search and read',
  add: 'add pictures, change keywords',
  delete: 'delete pictures',
  administer: 'manage keys and settings',
};

interface ScopeChoiceProps {
  readonly chosen: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

/** What a key of an application may do. */
export function ScopeChoice({ chosen, onChange }: ScopeChoiceProps) {
  return (
    <fieldset class="scope-choice">
      <legend class="label">It may</legend>
      {(Object.keys(scopes) as Scope[]).map((scope) => (
        <label key={scope} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...chosen, scope] : chosen.filter((each) => each !== scope))
            }
          />
          <span>{scopes[scope]}</span>
        </label>
      ))}
    </fieldset>
  );
}
