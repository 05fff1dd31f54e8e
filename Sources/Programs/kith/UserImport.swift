import ArgumentParser
import Bridge
import Contract
import Foundation
import JSON
import OperatorTools
import Web

extension UserCommand {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add all users in a table (CSV).",
            discussion: """
                The first row names the columns: user (the name in topics) and optionally name (as \
                other people see it), email and group (the id or name of an existing one), \
                separated by commas, semicolons or tabs. Existing users stay as they are, and \
                become members of their group: an import can be repeated.

                With --invite a line is printed for each new user, with the name and a link to set \
                a password: each works once, within three days. Each rejected row is reported by \
                its line and does not stop the others; the exit status is then 1.
                """)

        @Argument(help: "The file; - for standard input.", completion: .file(extensions: ["csv"]))
        var file: String

        @Option(help: "The group that all users join: its id or name.")
        var group: String?

        @Flag(help: "Print a link for each new user to set a password.")
        var invite = false

        @Option(
            help:
                "The page's address as the users see it. Default: that of --for-phones, or web.origin."
        )
        var page: String?

        @OptionGroup var options: DataOptions

        /// The number of users in one turn of the bridge.
        private static let part = 100

        private struct Row {
            let line: Int
            var user: OperatorCommand.NewUser
            /// The secret part of the link.
            var link: AccountLink?
        }

        func run() async throws {
            _ = try await options.databaseThatIsThere()
            let page = invite ? try await options.pageForPeople(page) : nil
            var (rows, refusals) = try await readRows()
            var random = SystemRandomNumberGenerator()
            if invite {
                for index in rows.indices {
                    let link = AccountLink(.password, using: &random)
                    (rows[index].link, rows[index].user.link) = (link, link.hash)
                }
            }
            var (added, existing) = (0, 0)
            var failure: (any Error)?
            for start in stride(from: 0, to: rows.count, by: Import.part) {
                let part = rows[start..<min(start + Import.part, rows.count)]
                do {
                    let result = try await options.perform(.importUsers(part.map(\.user)))
                    let names = Set(result["added"]?.elements.compactMap(\.text) ?? [])
                    added += names.count
                    existing += Int(result["existing"]?.integer ?? 0)
                    for refusal in result["refused"]?.elements ?? [] {
                        let row = part.first { $0.user.name.text == refusal["user"]?.text }
                        refusals.append(
                            (row?.line ?? 0, refusal["reason"]?.text ?? "it is refused"))
                    }
                    tell(part.filter { names.contains($0.user.name.text) }, page)
                } catch {
                    // A slow bridge may still add them, and these links would be the only ones.
                    failure = error
                    tell(Array(part), page)
                    break
                }
            }
            func say(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
            for (line, reason) in refusals.sorted(by: { $0.0 < $1.0 }) {
                say("Line \(line): \(reason).")
            }
            say(
                "Users added: \(added), already present: \(existing), "
                    + "rows rejected: \(refusals.count).")
            if let failure {
                say("The import ended early. The last users may have been added, or may still be.")
                throw failure
            }
            if !refusals.isEmpty { throw ExitCode.failure }
        }

        private func tell(_ rows: [Row], _ page: String?) {
            for row in rows {
                guard let link = row.link, let page else { continue }
                print(row.user.name.text, link.address(on: page), separator: "\t")
            }
        }

        /// - Throws: ``Complaint`` if the file cannot be read, or lacks these columns.
        private func readRows() async throws -> (rows: [Row], refusals: [(Int, String)]) {
            let data =
                file == "-"
                ? FileHandle.standardInput.readDataToEndOfFile()
                : FileManager.default.contents(atPath: file)
            guard let data else { throw Complaint("The file \(file) cannot be read.") }
            guard let text = String(validating: data, as: UTF8.self),
                let table = CommaSeparated(text)
            else { throw Complaint("The file \(file) is not a table in UTF-8 (CSV).") }
            let known = ["user", "name", "email", "group"]
            let strange = table.columns.filter { !known.contains($0) }
            guard Set(table.columns).count == table.columns.count else {
                throw Complaint("The first row names a column twice.")
            }
            guard table.columns.contains("user"), strange.isEmpty else {
                throw Complaint(
                    "The first row must name the columns: user, and any of name, email, group"
                        + (strange.isEmpty ? "." : ", and nothing else (\(strange[0]))."))
            }
            let existing = try DirectoryListing(await options.databaseThatIsThere()).groups
            let listed = try group.map { try DataOptions.group($0, in: existing) }
            var groups: [String: Result<GroupKey, any Error>] = [:]
            var seen: Set<Name> = []
            var (rows, refusals) = ([Row](), [(Int, String)]())
            for row in table.rows {
                func value(_ column: String) -> String? {
                    guard let index = table.columns.firstIndex(of: column),
                        index < row.values.count, !row.values[index].isEmpty
                    else { return nil }
                    return row.values[index]
                }
                do {
                    guard let name = value("user").flatMap({ Name($0) }) else {
                        throw Complaint("user must be lower-case letters, digits, - and _")
                    }
                    guard seen.insert(name).inserted else {
                        throw Complaint("\(name) appears twice")
                    }
                    guard row.values.count <= table.columns.count else {
                        throw Complaint("it has more values than columns")
                    }
                    var user = OperatorCommand.NewUser(
                        name, try checked(value("name") ?? name.text))
                    user.email = try value("email").map { try Import.email($0) }
                    user.group = listed
                    if let wanted = value("group") {
                        let key =
                            groups[wanted] ?? Result { try DataOptions.group(wanted, in: existing) }
                        groups[wanted] = key
                        user.group = try key.get()
                    }
                    rows.append(Row(line: row.line, user: user))
                } catch {
                    let words = "\(error)"
                    refusals.append(
                        (row.line, words.hasSuffix(".") ? String(words.dropLast()) : words))
                }
            }
            return (rows, refusals)
        }

        private static func email(_ text: String) throws -> EmailAddress {
            do { return try EmailAddress(text) } catch {
                throw Complaint("email must be an address")
            }
        }
    }
}

extension DataOptions {
    /// Returns the page's address as people see it, without a slash at its end.
    ///
    /// - Throws: ``Complaint`` if it is unknown, or only this machine reaches it.
    func pageForPeople(_ given: String?) async throws -> String {
        if let given { return given.hasSuffix("/") ? String(given.dropLast()) : given }
        let bridge = Condition.Bridge(on: databasePath)
        var settings = try await webSettings()
        settings.follow(bridge, data: data)
        if let origin = settings.server.origin { return origin }
        let here = settings.pageAddress(bridge).map { " (here it is --page \($0))" } ?? ""
        throw Complaint(
            "The page's address is known to this machine only: start with --for-phones, set "
                + "web.origin, or specify it with --page\(here).")
    }
}
