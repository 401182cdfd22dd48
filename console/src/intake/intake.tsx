import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CallError } from '../api/call.ts';
import { Button } from '../parts/button.tsx';
import { Failed } from '../parts/notice.tsx';
import { addressIn, fetchPicture } from './fetch-picture.ts';
import { filesOf, type NamedFile } from './dropped-files.ts';

/** What the current view does with pictures that are dropped or pasted anywhere on the page. */
export interface Intake {
  /** Shown while files are dragged over the page. */
  readonly hint: string;
  readonly take: (files: NamedFile[]) => void;
}

const views: { current: Intake }[] = [];

/** Makes the view the receiver of drops and pastes. */
export function useIntake(intake: Intake): void {
  const entry = useRef(intake);
  entry.current = intake;
  useLayoutEffect(() => {
    views.push(entry);
    return () => void views.splice(views.indexOf(entry), 1);
  }, []);
}

/**
 * Receives files, pictures of other pages and addresses of pictures, for the view that is shown.
 * @param otherwise  for views without an intake
 */
export function PageIntake({ otherwise, children }: { otherwise: Intake; children: ComponentChildren }) {
  const [over, setOver] = useState(false);
  const [fetching, setFetching] = useState<string>();
  const [error, setError] = useState<CallError>();
  const latest = useRef(otherwise);
  latest.current = otherwise;

  useEffect(() => {
    let own = false; // a picture of this page is being dragged
    const receiver = (): Intake => views.at(-1)?.current ?? latest.current;
    const take = (files: NamedFile[]): void => {
      setError(undefined);
      if (files.length > 0) receiver().take(files);
    };
    const takeAddress = async (address: string): Promise<void> => {
      setFetching(new URL(address).host);
      try {
        const file = await fetchPicture(address);
        take([{ name: file.name, file }]);
      } catch (cause) {
        setError(cause as CallError);
      }
      setFetching(undefined);
    };
    const on = {
      dragstart: () => (own = true),
      dragend: () => (own = false),
      dragover: (event: DragEvent) => {
        if (own) return;
        event.preventDefault();
        setOver(true);
      },
      dragleave: (event: DragEvent) => event.relatedTarget === null && setOver(false),
      drop: (event: DragEvent) => {
        setOver(false);
        if (own || event.defaultPrevented) return;
        event.preventDefault();
        const data = event.dataTransfer!;
        const address = addressIn(data.getData('text/uri-list') || data.getData('text/plain'));
        void filesOf(data).then((files) => (files.length > 0 || !address ? take(files) : takeAddress(address)));
      },
      paste: (event: ClipboardEvent) => {
        const files = event.clipboardData?.files ?? [];
        const inField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
        const address = inField ? undefined : addressIn(event.clipboardData?.getData('text/plain') ?? '');
        if (files.length === 0 && !address) return;
        event.preventDefault();
        if (files.length > 0) void filesOf(event.clipboardData!).then(take);
        else void takeAddress(address!);
      },
    };
    const all = Object.entries(on) as [string, EventListener][];
    for (const [name, listener] of all) document.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of all) document.removeEventListener(name, listener);
    };
  }, []);

  return (
    <>
      {children}
      {over && (
        <div class="drop-anywhere" aria-hidden="true">
          <p>{(views.at(-1)?.current ?? otherwise).hint}</p>
        </div>
      )}
      <div class="intake-state" role="status">
        {fetching && <p class="line toast">Fetching the picture from {fetching} …</p>}
        {error && (
          <div class="line toast is-bad">
            <Failed error={error} />
            <Button kind="quiet" text="Close" onClick={() => setError(undefined)} />
          </div>
        )}
      </div>
    </>
  );
}
