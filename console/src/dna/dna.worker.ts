import { serve } from '@sosia/browser/serve';
import { typeDefinitions } from '@sosia/engine';

serve(typeDefinitions);
