package septet.elastic.analysis;

import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.miscellaneous.TruncateTokenFilter;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.AbstractTokenFilterFactory;

final class Truncation extends AbstractTokenFilterFactory {
    private final int length;

    Truncation(String name, Settings settings) {
        super(name, settings);
        length = settings.getAsInt("length", 10);
    }

    @Override
    public TokenStream create(TokenStream tokens) {
        return new TruncateTokenFilter(tokens, length);
    }
}
