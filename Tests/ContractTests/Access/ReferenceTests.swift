import Contract
import Foundation
import Testing

struct ReferenceTests {
    @Test func `The reference shows the table by which the gate decides`() throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
            .joined(separator: "/")
        let reference = try String(contentsOfFile: root + "/docs/reference.md", encoding: .utf8)
        // `kith access-table` prints what belongs there.
        #expect(reference.contains("\n" + AccessPolicy().table.markdown + "\n"))
    }
}
