/** Copies a text to the clipboard. @returns false where the browser does not allow it, as on pages without https */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
