import ArgumentParser
import Bridge
import Contract
import Foundation
import JSON
import OperatorTools

struct PlaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place",
        abstract: "Import, list and remove places that everyone sees.",
        subcommands: [Import.self, List.self, Remove.self])
}

extension PlaceCommand {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import places from a GeoJSON file, and report what was skipped.",
            discussion: """
                The file is a FeatureCollection whose features have OpenStreetMap's tags: name, \
                amenity, opening_hours, phone, website, description. Importing it again changes \
                only what differs.
                """)

        @Argument(help: "The file.", completion: .file(extensions: ["geojson", "json"]))
        var file: String

        @Option(help: "The import's name. Default: derived from the file name.")
        var source: Name?

        @Option(
            help:
                "Time zone of the opening hours, such as Europe/Rome. Default: this machine's."
        )
        var timeZone: String?

        @Flag(help: "Remove the places of this source that are not in the file.")
        var replace = false

        @OptionGroup var options: DataOptions

        func run() async throws {
            _ = try await options.databaseThatIsThere()
            let source = try source ?? sourceOfFile()
            let zone = timeZone ?? TimeZone.current.identifier
            guard TimeZone(identifier: zone) != nil else {
                throw ValidationError("There is no time zone \(zone).")
            }
            guard let data = FileManager.default.contents(atPath: file) else {
                throw Complaint("The file \(file) cannot be read.")
            }
            let read = try PlaceFile(Array(data), source: source, timeZone: zone)
            for remark in read.remarks { print(remark) }
            if replace, read.places.isEmpty {
                throw Complaint("There is no place in the file: nothing is replaced.")
            }
            var (created, changed, unchanged) = (Int64(0), Int64(0), Int64(0))
            for part in read.parts {
                let result = try await options.perform(.importPlaces(part))
                created += result["created"]?.integer ?? 0
                changed += result["changed"]?.integer ?? 0
                unchanged += result["unchanged"]?.integer ?? 0
            }
            let removed = replace ? try await removeOthers(of: source, than: read.places) : 0
            print(
                "Imported \(created) new and \(changed) changed places as \(source); "
                    + "\(unchanged) unchanged, \(removed) removed, \(read.refused) not imported."
            )
        }

        private func sourceOfFile() throws -> Name {
            let base = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
            let letters = base.lowercased().map { character -> Character in
                character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
            }
            let text = String(letters.prefix(Name.maximumLength)).trimmingCharacters(in: ["-"])
            guard let name = Name(text) else {
                throw ValidationError("Name the import with --source.")
            }
            return name
        }

        private func removeOthers(of source: Name, than kept: [Place]) async throws -> Int64 {
            let ids = Set(kept.map(\.id))
            let gone = try PlaceListing(try await options.databaseThatIsThere()).places
                .filter { $0.source == source && !ids.contains($0.id) }.map(\.id)
            return try await options.remove(gone)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the places: identifier, source, kind, name.")

        @OptionGroup var options: DataOptions

        func run() async throws {
            for place in try PlaceListing(try await options.databaseThatIsThere()).places {
                print("\(place.id)\t\(place.source)\t\(place.kind ?? "")\t\(place.name)")
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove places.")

        @Argument(help: "The places' identifiers.") var places: [Name]

        @OptionGroup var options: DataOptions

        func run() async throws {
            let removed = try await options.remove(places)
            print("Removed \(removed) places.")
        }
    }
}

extension DataOptions {
    /// Removes places in batches, so that no one waits for it.
    fileprivate func remove(_ places: [Name]) async throws -> Int64 {
        var removed = Int64(0)
        for start in stride(from: 0, to: places.count, by: 100) {
            let part = Array(places[start..<min(start + 100, places.count)])
            removed += try await perform(.removePlaces(part))["removed"]?.integer ?? 0
        }
        return removed
    }
}
