package septet.elastic.analysis;

import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.miscellaneous.LengthFilter;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.AbstractTokenFilterFactory;

final class Lengths extends AbstractTokenFilterFactory {
    private final int shortest;
    private final int longest;

    Lengths(String name, Settings settings) {
        super(name, settings);
        shortest = settings.getAsInt("min", 0);
        longest = settings.getAsInt("max", Integer.MAX_VALUE);
    }

    @Override
    public TokenStream create(TokenStream tokens) {
        return new LengthFilter(tokens, shortest, longest);
    }
}
