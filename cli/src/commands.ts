import type { Command } from 'commander';

type Loader = () => Promise<Command>;

/** Every command by its name, in groups under their titles. A command and its dependencies are loaded at its call. */
export const commandGroups: Readonly<Record<string, Readonly<Record<string, Loader>>>> = {
  'The service:': {
    serve: async () => (await import('./commands/serve.ts')).serveCommand(),
    demo: async () => (await import('./commands/demo/demo.ts')).demoCommand(),
    doctor: async () => (await import('./commands/doctor/doctor.ts')).doctorCommand(),
    app: async () => (await import('./commands/app/app.ts')).appCommand(),
    key: async () => (await import('./commands/key/key.ts')).keyCommand(),
    admin: async () => (await import('./commands/key/key.ts')).adminCommand(),
    audit: async () => (await import('./commands/audit.ts')).auditCommand(),
    profile: async () => (await import('./commands/profile/profile.ts')).profileCommand(),
    verify: async () => (await import('./commands/verify.ts')).verifyCommand(),
    repair: async () => (await import('./commands/repair.ts')).repairCommand(),
    backup: async () => (await import('./commands/backup.ts')).backupCommand(),
    move: async () => (await import('./commands/move/move.ts')).moveCommand(),
    restore: async () => (await import('./commands/backup.ts')).restoreCommand(),
  },
  'Pictures of an application:': {
    add: async () => (await import('./commands/add.ts')).addCommand(),
    import: async () => (await import('./commands/import/import.ts')).importCommand(),
    search: async () => (await import('./commands/search.ts')).searchCommand(),
    export: async () => (await import('./commands/export.ts')).exportCommand(),
    delete: async () => (await import('./commands/delete.ts')).deleteCommand(),
    palette: async () => (await import('./commands/palette.ts')).paletteCommand(),
    classify: async () => (await import('./commands/classify.ts')).classifyCommand(),
    review: async () => (await import('./commands/review/review.ts')).reviewCommand(),
    ignored: async () => (await import('./commands/ignored.ts')).ignoredCommand(),
    'saved-search': async () => (await import('./commands/saved-search.ts')).savedSearchCommand(),
    hashes: async () => (await import('./commands/hashes.ts')).hashesCommand(),
    events: async () => (await import('./commands/events.ts')).eventsCommand(),
    webhook: async () => (await import('./commands/webhook.ts')).webhookCommand(),
    watch: async () => (await import('./commands/watch/watch.ts')).watchCommand(),
    source: async () => (await import('./commands/source.ts')).sourceCommand(),
    matches: async () => (await import('./commands/matches.ts')).matchesCommand(),
    bench: async () => (await import('./commands/bench.ts')).benchCommand(),
    status: async () => (await import('./commands/status.ts')).statusCommand(),
  },
  'Without a service:': {
    compare: async () => (await import('./commands/compare.ts')).compareCommand(),
    dna: async () => (await import('./commands/dna.ts')).dnaCommand(),
    hash: async () => (await import('./commands/hash.ts')).hashCommand(),
    completion: async () => (await import('./commands/completion/completion.ts')).completionCommand(),
  },
};
