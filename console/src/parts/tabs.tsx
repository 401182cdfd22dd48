import { whole } from './figures.ts';
import { linkTo } from '../route.ts';

interface TabsProps<Tab extends string> {
  readonly label: string;
  readonly view: string;
  /** The name of the tab in the address. */
  readonly parameter: string;
  readonly tabs: readonly (readonly [tab: Tab, title: string, count?: number | undefined])[];
  readonly shown: Tab;
}

/** The parts of a view, each with an address. */
export function Tabs<Tab extends string>({ label, view, parameter, tabs, shown }: TabsProps<Tab>) {
  return (
    <div class="ways" role="group" aria-label={label}>
      {tabs.map(([tab, title, count = 0]) => (
        <a key={tab} href={linkTo(view, { [parameter]: tab })} aria-current={tab === shown ? 'true' : undefined}>
          {title}
          {count > 0 && <span class="number">{whole(count)}</span>}
        </a>
      ))}
    </div>
  );
}
