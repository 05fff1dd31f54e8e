/// People by the answers that they are in: two are in the same class if no answer has one of them
/// without the other.
///
/// The classes are the atoms of the algebra that the answers' sets generate. Whatever is combined
/// of these answers, by differences, trackers (Denning, Denning and Schwartz, "The Tracker: A Threat
/// to Statistical Database Security", 1979) or any algebra, is the same for everybody in a class. So it is
/// enough to keep every class large; pairs of answers, which most controls of overlap compare, are not:
/// A ∪ B, then A, then B after one more has come to B, differ pairwise by many, and yet isolate one.
struct Companions {
    private var classes: [ContributorSet] = []
    private var everybody = ContributorSet()

    /// Divides the classes by one more answer. Returns false if a class of fewer than k came about,
    /// after which this value is of no more use.
    mutating func divide(by answer: ContributorSet, k: Int) -> Bool {
        var divided: [ContributorSet] = []
        for old in classes + [answer.subtracting(everybody)] {
            for new in [old.intersection(answer), old.subtracting(answer)] where !new.isEmpty {
                guard new.count >= k else { return false }
                divided.append(new)
            }
        }
        classes = divided
        everybody = everybody.union(answer)
        return true
    }
}
