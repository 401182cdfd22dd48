import type { Scope } from '@sosia/contract';
import { Checks } from '../../parts/check.tsx';

const scopes: readonly (readonly [Scope, string])[] = [
  ['search', 'search and read'],
  ['add', 'add pictures, change keywords'],
  ['delete', 'delete pictures'],
  ['administer', 'manage keys and settings'],
];

interface ScopeChoiceProps {
  readonly chosen: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

/** What a key of an application may do. */
export function ScopeChoice({ chosen, onChange }: ScopeChoiceProps) {
  return <Checks label="It may" options={scopes} chosen={chosen} onChange={onChange} />;
}
