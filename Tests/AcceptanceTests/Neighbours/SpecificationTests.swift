import Foundation
import Testing

/// docs/asyncapi.yaml and docs/openapi.yaml, as other people's programs read them.
@Suite(
    .timeLimit(.minutes(3)),
    .enabled(
        if: ProcessInfo.processInfo.environment["KITH_WITHOUT_SPECIFICATION_CHECKERS"] == nil,
        "tools/test could not fetch the checkers"))
struct SpecificationTests {
    private let tool = Document.project + "/tools/check-specifications"

    @Test func `Stock validators find nothing wrong with the documents`() async throws {
        let line = try await Program.succeed(
            tool,
            ["\(Document.project)/docs/openapi.yaml", "\(Document.project)/docs/asyncapi.yaml"])
        #expect(line.split(separator: "\n").count == 2)
    }

    @Test(arguments: [
        "openapi: 3.1.0\ninfo: {title: x}\npaths: {}\n",
        "asyncapi: 3.0.0\ninfo: {title: x, version: '1'}\nchannels: {a: {messages: 7}}\n",
        "asyncapi: 3.0.0\ninfo: {title: x, version: '1'}\n"
            + "components: {messages: {m: {payload: {type: strange}}}}\n",
    ])
    func `Stock validators detect faulty documents`(_ text: String) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/kith-\(UUID()).yaml"
        defer { unlink(path) }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let ending = try await Program.run(tool, [path])
        #expect(ending.status == 1, "\(ending)")
    }
}
