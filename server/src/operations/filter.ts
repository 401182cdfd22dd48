import { file } from '../params/params.ts';
import { mapTo } from '../params/schema.ts';
import { operation } from './operation.ts';

export const filter = operation({
  name: 'Filter',
  families: ['enginequery'],
  method: 'POST',
  about: 'Classifies a picture against the profiles of the application.',
  gives: {
    scores: mapTo(
      { type: 'number' },
      'by name of profile: positive where it fits the picture, about 1 for a clear case, negative where it does not',
    ),
  },
  params: { query_image: file({ or: 'image_content' }) },
  onFailure: { scores: {} },
  refuses: (traits) => !traits.profiles && 'DOES_NOT_APPLY',

  async run(application, { query_image }) {
    return { scores: await application.classify(query_image) };
  },
});
