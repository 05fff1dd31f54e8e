import ArgumentParser
import Bridge
import Contract
import Languages
import Specifications

/// Prints the parts of the contract that documents and pages repeat, for tests that compare them.
struct ContractTables: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract-tables",
        abstract: "Print what is derived from the tables of topics and methods.",
        shouldDisplay: false)

    enum Part: String, CaseIterable, ExpressibleByArgument {
        case methods
        case topics
        case page
        case texts
        case metrics
        case asyncapi
        case openapi
    }

    @Argument(
        help: """
            methods or topics, for docs/reference.md; page, for pages/js/contract.js; texts, the \
            server's texts, for pages/languages; metrics, for docs/monitoring.md; asyncapi or \
            openapi, for docs/asyncapi.yaml and docs/openapi.yaml.
            """)
    var part: Part

    func run() throws {
        switch part {
        case .methods: print(Method.markdown)
        case .topics: print(TopicRow.markdown)
        case .metrics: print(MetricRow.markdown)
        case .texts: for text in ServerText.allCases { print(text.rawValue) }
        case .page: print(PageContract.module, terminator: "")
        case .asyncapi: try print(AsyncAPI.document(version: kithVersion).document, terminator: "")
        case .openapi: try print(OpenAPI.document(version: kithVersion).document, terminator: "")
        }
    }
}
