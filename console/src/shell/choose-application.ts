import { rememberApplication } from '../api/call.ts';
import { isAdding } from '../views/add/queue.ts';
import { settleDeletions } from '../views/pictures/deletions.ts';

/** Opens another application. The page begins anew, since nothing of one application may continue in another. */
export async function chooseApplication(number: number): Promise<void> {
  if (isAdding() && !confirm('Pictures are still being added. Stop, and open the other application?')) return;
  await settleDeletions();
  rememberApplication(number);
  location.hash = '#home';
  location.reload();
}
