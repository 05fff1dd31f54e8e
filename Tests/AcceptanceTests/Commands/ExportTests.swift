import Foundation
import TestSupport
import Testing

/// `kith export` as a person uses it.
@Suite(.timeLimit(.minutes(2)))
struct ExportTests {
    /// The names in the archive, as read by Python's library.
    private func names(_ archive: String) async throws -> [String] {
        let script = """
            import sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            print(*archive.namelist())
            """
        let line = try await Program.succeed("python3", ["-c", script, archive])
        return line.split(separator: " ").map(String.init)
    }

    @Test func `A user's data is written to a file that only its owner can read`() async throws {
        try await withTemporaryDirectory { directory in
            let data = ["--data", directory]
            try Program.beginData(directory)
            _ = try await Program.succeed(Program.kith, ["user", "add", "ann"] + data)
            let file = directory + "/out.zip"
            try Data("before".utf8).write(to: URL(fileURLWithPath: file))
            _ = try await Program.succeed(
                Program.kith, ["export", "ann", "--output", file] + data)
            #expect(try await names(file).contains("account.json"))
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            _ = try await Program.succeed(
                "sh",
                [
                    "-c", "\"$0\" export ann --output - --data \"$1\" > \"$1/piped.zip\"",
                    Program.kith, directory,
                ])
            #expect(try await names(directory + "/piped.zip").count == 8)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: directory)
                    .allSatisfy { !$0.hasSuffix(".part") })
        }
    }

    @Test func `A failed export is reported and leaves the existing file`() async throws {
        try await withTemporaryDirectory { directory in
            let data = ["--data", directory]
            let none = try await Program.run(Program.kith, ["export", "ann"] + data)
            #expect(none.status == 1 && none.complaints.count == 1)
            try Program.beginData(directory)
            _ = try await Program.succeed(Program.kith, ["user", "add", "ann"] + data)
            let file = directory + "/out.zip"
            try Data("before".utf8).write(to: URL(fileURLWithPath: file))
            let nobody = try await Program.run(
                Program.kith, ["export", "ben", "--output", file] + data)
            #expect(nobody.status == 1)
            #expect(nobody.errors == "kith: There is no user with that name.\n")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "before")
            let nowhere = try await Program.run(
                Program.kith, ["export", "ann", "--output", directory + "/no/out.zip"] + data)
            #expect(nowhere.status == 1 && nowhere.complaints.count == 1)
            let link = directory + "/link"
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: "/dev/full")
            let full = try await Program.run(
                Program.kith, ["export", "ann", "--output", link] + data)
            #expect(full.status == 1 && full.complaints.count == 1, "\(full)")
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/full")
        }
    }
}
