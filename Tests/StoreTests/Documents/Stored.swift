import Foundation

/// Data stored by earlier versions: see `Tests/Stored/README.md`.
enum Stored {
    static let directory =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/") + "/Stored"

    /// - Parameter name: without its version.
    static func document(_ name: String, version: Int) throws -> String {
        try String(
            contentsOfFile: "\(directory)/documents/\(name).\(version).json", encoding: .utf8)
    }

    /// How the code writes the document today.
    ///
    /// - Parameter text: the text that becomes it with `KITH_WRITE_DOCUMENTS` in the environment.
    static func written(_ name: String, _ text: () -> String) throws -> String {
        let path = "\(directory)/documents/\(name).written.json"
        if ProcessInfo.processInfo.environment["KITH_WRITE_DOCUMENTS"] != nil {
            try text().write(toFile: path, atomically: true, encoding: .utf8)
        }
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// The names of the documents of a kind, without version.
    ///
    /// - Parameter first: the first version that has such documents.
    static func documents(_ kind: String, since first: Int = 1) -> [String] {
        let ending = ".\(first).json"
        let found = names(in: "documents").filter { $0.hasPrefix(kind) && $0.hasSuffix(ending) }
        precondition(!found.isEmpty, "there are no documents \(kind)…\(ending)")
        return found.map { String($0.dropLast(ending.count)) }
    }

    static func database(schema: Int64) -> String { "\(directory)/schema-\(schema).sqlite" }

    /// The schemas that have a database.
    static let schemas: [Int64] = names(in: "").compactMap { name in
        guard name.hasPrefix("schema-"), name.hasSuffix(".sqlite") else { return nil }
        return Int64(name.dropFirst("schema-".count).dropLast(".sqlite".count))
    }.sorted()

    private static func names(in folder: String) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: "\(directory)/\(folder)")
                .sorted()
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
