internal import Tracking

extension Area {
    /// A person's own history: where they were, what they bring from elsewhere, and deleting a
    /// stretch of it.
    static let history = Area(
        "History",
        methods: [
            Method(
                "position.list", .reads, [],
                Form(
                    "`{from,to,every?,cursor?}`",
                    gives: "`{device,positions,next}`: your own, from the one time until before "
                        + "the other, as Fixes of one device, the newest first, `every` so many "
                        + "seconds at most; `next` is the `cursor` of the next page, which may be "
                        + "of another device, `null` at the end. What was imported comes last, "
                        + "with `null` for the device")
            ) { fields, _ in HistoryCommand.positions(&fields) },
            Method(
                "data.delete", .changes, [], against: [],
                Form(
                    "`{from,to,what:\"positions\"\\|\"vitals\",cursor?}`",
                    gives:
                        "`{next,deleted?}`: what was measured from the one time until before the "
                        + "other is deleted; of positions so many, and where `next` is not `null`, it is "
                        + "the `cursor` of the next request, which deletes more")
            ) { fields, _ in HistoryCommand.delete(&fields) },
            Method(
                "import.add", .changes, [], against: [.changes, .answers],
                Form(
                    "`{source,positions}`",
                    gives: "`{imported,known}`: how many of the positions, 1 to 500 Fixes, are now "
                        + "in your own history, and of how many there was one of the same time "
                        + "already; `source`: where they are from, as you call it")
            ) { fields, circumstances in HistoryCommand.add(&fields, at: circumstances.now) },
            Method(
                "import.list", .reads, [],
                Form(
                    "",
                    gives: "`{imports}`: `[{source,positions,from?,to?,importedAt}]`, what was "
                        + "imported, the latest first")
            ) { _, _ in HistoryCommand.imports },
            Method(
                "import.delete", .changes, [], against: [],
                Form("`{source}`", gives: "`{deleted}`: so many positions are deleted")
            ) { fields, _ in fields.importSource().map { HistoryCommand.deleteImport($0) } },
        ],
        exports: [
            ExportList(
                "imported-position", isLong: true, "the positions that you brought from elsewhere")
        ])
}
