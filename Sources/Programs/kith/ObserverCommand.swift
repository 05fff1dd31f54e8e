import ArgumentParser
import Bridge
import Contract
import JSON
import OperatorTools
import Tracking

struct ObserverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "observer",
        abstract: "List or revoke read-only programs that see a group.",
        discussion: """
            An observer is a program, such as kith home-assistant, to which a member shows what \
            their group sees. Only members can create one, on the page or with observer.create; \
            the operator cannot, since the group would not have been asked.
            """,
        subcommands: [List.self, End.self])
}

extension ObserverCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the observers: id, group, creator, since when, names.",
            discussion: """
                One line each, the oldest first, with tabs between its id, the group's id, the \
                user who created it, since when (in UTC), the group's name and its own. Tokens are \
                not listed: they are not stored.
                """)

        @Flag(help: "Print JSON, for programs.") var json = false
        @OptionGroup var options: DataOptions

        func run() async throws {
            let listing = try ObserverListing(try await options.databaseThatIsThere())
            guard !json else {
                let bytes = JSONWriter.object { json in
                    json.key("observers")
                    json.array(listing.observers) { json, each in
                        json.object { json in
                            json.key("observer")
                            json.string(each.id.description)
                            json.key("name")
                            json.string(each.name)
                            json.key("by")
                            json.string(each.user)
                            json.key("group")
                            json.string(each.group)
                            json.key("groupName")
                            json.string(each.groupName)
                            json.key("since")
                            json.time(each.since)
                        }
                    }
                }
                return print(String(decoding: bytes, as: UTF8.self))
            }
            for each in listing.observers {
                print(
                    [
                        each.id.description, each.group, each.user, each.since.rfc3339,
                        each.groupName, each.name,
                    ].joined(separator: "\t"))
            }
        }
    }

    struct End: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End an observer: it no longer sees anything.",
            discussion: """
                The broker disconnects it within a second. The user who created it is notified, \
                and can create another: to prevent that, remove them from the group (kith group \
                remove), which ends all of their observers in it.
                """)

        @Argument(help: "The observer's id, as kith observer list shows it.")
        var observer: String

        @OptionGroup var options: DataOptions

        func run() async throws {
            guard let id = UUIDv7(observer) else {
                throw ValidationError("\(observer) is not the id of an observer.")
            }
            try await options.perform(.endObserver(id))
            print("Ended \(id).")
        }
    }
}
