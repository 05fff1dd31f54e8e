internal import Tracking

extension Area {
    /// A person's own history: their positions, imports from elsewhere, and deleting a range.
    static let history = Area(
        "History",
        methods: [
            Method(
                "position.list", .reads, [], HistoryCommand.query,
                gives: "`{device,positions,next}`: your own, from `from` until before `to`, as "
                    + "Fixes of one device, the newest first; `next` is the `cursor` of the next "
                    + "page, which may be of another device, `null` at the end. What was "
                    + "imported comes last, with `null` for the device"),
            Method(
                "data.delete", .changes, [], against: [], HistoryCommand.deletion,
                gives: "`{next,deleted}`: positions measured from `from` until before `to` are "
                    + "deleted, `deleted` of them; if `next` is not `null`, it is the `cursor` of "
                    + "the next request, which deletes more",
                "`{next:null}`: vital signs measured from `from` until before `to` are deleted"),
            Method(
                "import.add", .changes, [], against: [.changes, .answers],
                HistoryCommand.addition,
                result: HistoryResult.imported.schema,
                gives: "how many of the positions, 1 to 500 Fixes, are now "
                    + "in your own history, and how many were already there with the same time"),
            Method(
                "import.list", .reads, [], Form { HistoryCommand.imports },
                result: HistoryResult.imports.schema,
                gives: "what was imported, the latest first"),
            Method(
                "import.delete", .changes, [], against: [],
                HistoryCommand.source.map { HistoryCommand.deleteImport($0) },
                result: HistoryResult.importDeleted.schema,
                gives: "the number of deleted positions"),
        ],
        exports: [
            ExportList(
                "imported-position", isLong: true, "the positions that you imported")
        ])
}
