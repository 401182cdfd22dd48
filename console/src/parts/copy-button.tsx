import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

/** Copies a text to the clipboard, and says so; where the browser does not allow it, as on pages without https, nothing. */
export function CopyButton({ text, kind }: { text: string; kind?: 'quiet' }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <Button
      kind={kind}
      icon={copied ? 'check' : 'copy'}
      text={copied ? 'Copied' : 'Copy'}
      onClick={() => void copy().catch(() => {})}
    />
  );
}
