extension FuzzTarget {
    #if DEBUG
    /// The targets of code internal to a module, which a release build hides.
    static let inner = [
        FuzzTarget(name: "course", maximumLength: 16_384, run: Courses.read),
        FuzzTarget(name: "http", maximumLength: 16_384, run: HTTPRequests.run),
        FuzzTarget(name: "events", run: EventReading.run),
        FuzzTarget(name: "public", run: PublicQuestions.run),
        FuzzTarget(name: "receipts", run: WebAnswers.run),
        FuzzTarget(name: "export", maximumLength: 8_192, run: WebAnswers.export),
        FuzzTarget(name: "metrics", run: Metrics.read),
        FuzzTarget(name: "settings", maximumLength: 8_192, run: SettingsFiles.read),
        FuzzTarget(name: "areas", maximumLength: 8_192, run: DispatchFiles.areas),
        FuzzTarget(name: "answer", run: DispatchFiles.answer),
        FuzzTarget(name: "operator", run: StoredTexts.command),
        FuzzTarget(name: "document", maximumLength: 8_192, run: StoredTexts.document),
        FuzzTarget(name: "directory", run: DirectoryTexts.read),
        FuzzTarget(name: "packet", run: Packets.read),
        FuzzTarget(name: "brokerlog", run: BrokerLines.read),
    ]
    #else
    static let inner: [FuzzTarget] = []
    #endif
}
