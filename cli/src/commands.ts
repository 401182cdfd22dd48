import type { Command } from 'commander';

type Loader = () => Promise<Command>;

/** Every command by its name, in groups under their titles. A command is loaded when it is called, with what it needs. */
export const commandGroups: Readonly<Record<string, Readonly<Record<string, Loader>>>> = {
  'The service:': {
    serve: async () => (await import('./serve.ts')).serveCommand(),
    demo: async () => (await import('./demo.ts')).demoCommand(),
    app: async () => (await import('./app.ts')).appCommand(),
    profile: async () => (await import('./profile.ts')).profileCommand(),
    verify: async () => (await import('./verify.ts')).verifyCommand(),
    repair: async () => (await import('./repair.ts')).repairCommand(),
    backup: async () => (await import('./backup.ts')).backupCommand(),
    restore: async () => (await import('./backup.ts')).restoreCommand(),
  },
  'Pictures of an application:': {
    import: async () => (await import('./import.ts')).importCommand(),
    search: async () => (await import('./search.ts')).searchCommand(),
    export: async () => (await import('./export.ts')).exportCommand(),
    delete: async () => (await import('./delete.ts')).deleteCommand(),
    palette: async () => (await import('./palette.ts')).paletteCommand(),
    classify: async () => (await import('./classify.ts')).classifyCommand(),
    duplicates: async () => (await import('./duplicates.ts')).duplicatesCommand(),
    bench: async () => (await import('./bench.ts')).benchCommand(),
    status: async () => (await import('./status.ts')).statusCommand(),
  },
  'Without a service:': {
    compare: async () => (await import('./compare.ts')).compareCommand(),
    dna: async () => (await import('./dna.ts')).dnaCommand(),
    completion: async () => (await import('./completion.ts')).completionCommand(),
  },
};
