import ArgumentParser
import Bridge
import Store

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Manage the keys that vital signs are encrypted with.",
        subcommands: [KeyAdd.self])
}

struct KeyAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Encrypt vital signs with a new key.",
        discussion: """
            Adds a line to the file keys/vitals. From the bridge's next start everything is \
            encrypted with the new key, and stored data is re-encrypted over the following hours; \
            until then the earlier lines are needed.
            """)

    @OptionGroup var options: DataOptions

    func run() async throws {
        let database = try await options.databaseThatIsThere()
        let known: Int64
        do throws(StoreError) {
            let store = try Store.openReadOnly(database)
            try store.checkVersion()
            known = try store.transaction { try $0.newestKeyOfVitals() }
        } catch {
            throw Complaint("The database cannot be read: \(error.reason).")
        }
        let number = try SealingKeyFile(besides: options.databasePath).add(after: known)
        print("Key \(number) was added. Restart the bridge, and keep a copy of keys/vitals.")
    }
}
