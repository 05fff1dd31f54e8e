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
            Changes nothing, and works when nothing runs. The exit status is 0 if a bridge runs on \
            the data, has told the broker so and answers, otherwise 1. kith doctor says what is wrong.
            """)

    @Flag(help: "Print JSON, for programs.") var json = false
    @OptionGroup var options: DataOptions

    func run() async throws {
        let condition = await options.condition()
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
        let broker = condition.broker
        if condition.bridge == nil || broker.status != "online" || broker.bridgeAnswers == false {
            throw ExitCode.failure
        }
    }
}
