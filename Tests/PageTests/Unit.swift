import Foundation

/// A test defined by a file in `Units`: `test("its name", …)`.
struct Unit: Sendable, CustomStringConvertible {
    let file: String
    let name: String

    var description: String { "\(file.replacing(".test.js", with: "")): \(name)" }

    static func all(in directory: String) throws -> [Unit] {
        try FileManager.default.contentsOfDirectory(atPath: directory)
            .filter { $0.hasSuffix(".test.js") }.sorted()
            .flatMap { try all(of: $0, in: directory) }
    }

    static func all(of file: String, in directory: String) throws -> [Unit] {
        let units = try String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8)
            .matches(of: /(?m)^test\("([^"]+)"/)
            .map { Unit(file: file, name: String($0.1)) }
        precondition(!units.isEmpty, "\(file) has no test")
        return units
    }
}
