import ArgumentParser
import Contract

struct AccessTableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access-table",
        abstract: "Print who may do what on which topic, as the gate decides.")

    func run() throws { print(TopicRow.accessMarkdown) }
}
