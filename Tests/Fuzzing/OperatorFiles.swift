import Contract
import Gazetteer
import JSON
import Languages
import OperatorTools
import TestSupport
import Tracking

/// Files that an operator was given, or has installed.
enum OperatorFiles {
    // MARK: Places

    /// A GeoJSON FeatureCollection.
    static func places(_ bytes: [UInt8]) throws {
        let file: PlaceFile
        do throws(PlaceFile.Unreadable) {
            file = try PlaceFile(bytes, source: "file", timeZone: "UTC")
        } catch {
            return try expect(!error.description.isEmpty, "a refusal has a reason")
        }
        let ids = Set(file.places.map(\.id))
        try expect(ids.count == file.places.count, "each place is there once")
        try expect(file.remarks.count >= file.refused, "each refused place has a remark")
        try expect(
            file.parts.flatMap { $0 } == file.places, "the parts are all of it, in its order")
    }

    // MARK: Cities

    /// Lines: a position, as latitude and longitude; the rest are cities, as
    /// `pages/world/cities` has them.
    static func cities(_ bytes: [UInt8]) throws {
        let lines = Lines(2, of: bytes)
        let text = String(decoding: lines.rest, as: UTF8.self)
        let gazetteer = Gazetteer(lines: text)
        guard let latitude = Double(lines.heads[0]), let longitude = Double(lines.heads[1]),
            let place = Coordinate(latitude: latitude, longitude: longitude)
        else { return }
        guard let found = gazetteer.describe(place) else { return }
        switch found {
        case .inside(let city): try expect(text.contains(city), "a city is one of the file's")
        case .near(let city, let kilometres, _):
            try expect(text.contains(city), "a city is one of the file's")
            try expect((1...100).contains(kilometres), "what is far away is not near")
        }
        try expect(!found.text.isEmpty, "a found place has a text")
    }

    // MARK: Languages

    /// A line with the language, and one with a name; the rest is the catalogue.
    static func catalogue(_ bytes: [UInt8]) throws {
        let lines = Lines(2, of: bytes)
        guard let language = Language(rawValue: lines.heads[0]) else { return }
        let catalogues = Catalogues([language: lines.rest])
        let reader = Reader(language) { _ in 3_600 }
        let count = lines.rest.count
        for text in ServerText.allCases {
            let phrase = Phrase(
                text,
                [
                    "name": .text(lines.heads[1]), "count": .number(count),
                    "time": Phrase.time(Payloads.now, near: nil),
                    "place": .phrase(Phrase(.somebody)),
                ])
            let said = catalogues.say(phrase, to: reader)
            try expect(catalogues.say(phrase, to: reader) == said, "it is said alike")
            // English knows no catalogue but its own.
            if JSONValue(parsing: lines.rest, isOurs: true) == nil {
                try expect(
                    Catalogues.english.say(phrase, to: reader) == said,
                    "what is no catalogue counts as empty")
            }
        }
    }
}
