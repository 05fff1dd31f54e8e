import Anonymity
import Testing

@Suite struct CohortFilterTests {
    @Test(
        "An age range has bounds in bands of five years",
        arguments: [
            (30, 35, nil), (25, 35, nil), (0, 120, nil), (31, 35, .ageNotInBands),
            (30, 34, .ageNotInBands), (30, 30, .ageOutOfRange), (35, 30, .ageOutOfRange),
            (-5, 5, .ageOutOfRange), (100, 125, .ageOutOfRange),
        ] as [(Int, Int, CohortFilter.Invalid?)])
    func bands(from: Int, to: Int, expected: CohortFilter.Invalid?) throws {
        if let expected {
            #expect(throws: expected) { try CohortFilter(ageFrom: from, to: to) }
        } else {
            #expect(try CohortFilter(ageFrom: from, to: to).age == from..<to)
        }
    }

    @Test("An empty or overlong key is rejected")
    func keys() throws {
        let long = String(repeating: "é", count: CohortFilter.longestKey / 2)
        #expect(try CohortFilter(gender: long, residence: long).gender == long)
        #expect(throws: CohortFilter.Invalid.gender) { try CohortFilter(gender: "") }
        #expect(throws: CohortFilter.Invalid.residence) {
            try CohortFilter(residence: long + "x")
        }
    }

    @Test("An open end equals the first or last age and asks the same question")
    func openEnds() throws {
        #expect(try CohortFilter(ageFrom: 65) == CohortFilter(ageFrom: 65, to: 120))
        #expect(try CohortFilter(to: 20) == CohortFilter(ageFrom: 0, to: 20))
    }

    @Test("A cohort includes only people known to meet every condition")
    func includes() throws {
        let filter = try CohortFilter(ageFrom: 30, to: 35, gender: "male", residence: "como")
        #expect(filter.includes(age: 30, gender: "male", residence: "como"))
        #expect(filter.includes(age: 34, gender: "male", residence: "como"))
        #expect(!filter.includes(age: 35, gender: "male", residence: "como"))
        #expect(!filter.includes(age: 29, gender: "male", residence: "como"))
        #expect(!filter.includes(age: nil, gender: "male", residence: "como"))
        #expect(!filter.includes(age: 30, gender: nil, residence: "como"))
        #expect(!filter.includes(age: 30, gender: "male", residence: "lecco"))
        #expect(try CohortFilter().includes(age: nil, gender: nil, residence: nil))
    }
}
