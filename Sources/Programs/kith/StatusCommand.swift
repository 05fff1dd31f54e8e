import ArgumentParser
import Bridge
import Contract
import JSON
import OperatorTools

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what is running, since when, and what data there is.",
        discussion: """
            Changes nothing, and works when nothing is running. The exit status is 0 if a bridge \
            is running on the data, has announced itself at the broker and answers, otherwise 1. \
            kith doctor shows what is wrong.
            """)

    @Flag(help: "Print JSON, for programs.") var json = false

    @Option(help: "Wait at most this many seconds until it is online.")
    var wait: Int?

    @OptionGroup var options: DataOptions

    func run() async throws {
        let deadline = ContinuousClock.now + .seconds(wait ?? 0)
        var condition = await options.condition()
        while !isOnline(condition), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(200))
            condition = await options.condition()
        }
        if json {
            print(String(decoding: JSONWriter.object { condition.write(to: &$0) }, as: UTF8.self))
        } else {
            for line in condition.lines { print(line) }
        }
        guard condition.directory.isReadable || !condition.directory.isThere else {
            let owner = condition.directory.owner
            throw Complaint("The data belongs to \(owner): sudo -u \(owner) kith status")
        }
        guard condition.directory.isThere, condition.database != nil || condition.bridge != nil
        else { throw DatabaseFiles.noData(in: options.data) }
        if !isOnline(condition) { throw ExitCode.failure }
    }

    private func isOnline(_ condition: Condition) -> Bool {
        condition.bridge != nil && condition.broker.status == "online"
            && condition.broker.bridgeAnswers != false
    }
}
